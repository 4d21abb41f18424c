import { badge, button, h, select } from '../elements/dom.js';
import { count } from '../elements/format.js';
import { sure } from '../elements/pieces.js';

const about = {
  default: 'The first choice for every gap.',
  contrarian: 'Another choice than the first, everywhere.',
  trpc: "As a service built with tRPC's OpenAPI adapter does.",
  minimal: 'Shows and accepts only what must be.',
};
const WARNING = 'The data of the session begins anew, since identifiers may look different.';

/** How the session answers what the specification leaves open. */
export function profileSection({ api, act }, { gaps, profiles }, profile) {
  const others = gaps.filter(({ id, choices }) => profile[id] !== Object.keys(choices)[0]);
  const take = async (name) => {
    if (await sure(`Take the profile "${name}"? ${WARNING}`, 'Take it'))
      await act(() => api.put('/profile', { profile: name }), `The profile is ${name} now.`);
  };
  const choose = async (control, id) => {
    if (await sure(`Answer "${id}" with "${control.value}"? ${WARNING}`, 'Change it'))
      await act(() => api.put('/profile', { choices: { [id]: control.value } }), 'The profile is changed.');
    else control.value = profile[id];
  };
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Profile'),
    h(
      'p',
      { class: 'hint' },
      `The specification leaves ${count(gaps.length, 'question')} open. `,
      others.length === 0
        ? 'Each has its default answer, the first one.'
        : `${others.length} of them ${others.length === 1 ? 'is' : 'are'} not answered as by default.`,
    ),
    h(
      'ul',
      { class: 'choices' },
      profiles.map((name) =>
        h(
          'li',
          {},
          button(name, () => take(name)),
          h('span', { class: 'quiet' }, about[name] ?? ''),
        ),
      ),
    ),
    allAnswers(gaps, profile, choose),
  );
}

const allAnswers = (gaps, profile, choose) =>
  h(
    'details',
    {},
    h('summary', {}, `All ${gaps.length} answers`),
    h(
      'ul',
      { class: 'gaps' },
      gaps.map(({ id, question, choices, section }) =>
        h(
          'li',
          {},
          h(
            'label',
            {},
            h('span', {}, question, ' ', profile[id] !== Object.keys(choices)[0] && badge('not the default', 'accent')),
            h('span', { class: 'quiet' }, h('code', {}, id), ` · section ${section}`),
            select(Object.entries(choices), profile[id], { onchange: ({ target }) => choose(target, id) }),
          ),
        ),
      ),
    ),
  );
