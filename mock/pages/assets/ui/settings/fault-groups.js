// Groups faults by what a screen would notice. No DOM: this is tested in Node.js.

/** A fault belongs to the first group that fits. */
const groups = [
  {
    id: 'access',
    title: 'A caller gets in who should not, or learns the wrong access',
    like: /-accepts-|refusal-holds-answer|in-spite-of-refusal|mode-always/,
  },
  { id: 'shape', title: 'An answer cannot be read, or has another shape', like: /-answer-(?!.*another)/ },
  {
    id: 'time',
    title: 'A window of time shows too much or too little',
    like: /time-filter-.*-(?:ignored|cut|loses)|default-time-filter|last-month|drops-(?:time-)?filter/,
  },
  {
    id: 'refused',
    title: 'What should work is refused, or is not there',
    like: /refused|refuses|demands|not-there|not-stored|not-found|forgotten|takes-no-agents/,
  },
  {
    id: 'list',
    title: 'A list is out of order, loses or repeats results, or does not end',
    like: /^results-|limit|page|cursor|second-list|ends-walk|created-at/,
  },
];

/** The group of the others, so that a new fault needs no word here. */
const content = { id: 'content', title: 'Saved data comes back changed, or as something else' };

/** The faults of each non-empty group, in the order that interests people. */
export function grouped(faults) {
  const found = new Map([...groups, content].map((group) => [group, []]));
  for (const fault of faults) found.get(groups.find(({ like }) => like.test(fault.id)) ?? content).push(fault);
  const order = ['list', 'time', 'content', 'refused', 'shape', 'access'];
  return [...found]
    .filter(([, all]) => all.length > 0)
    .map(([{ id, title }, all]) => ({ id, title, faults: all }))
    .toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
}
