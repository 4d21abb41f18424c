/** The script of the live page. It inserts only text into the document. */
export const script = String.raw`
(() => {
  'use strict';
  const one = (id) => document.getElementById(id);
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const counted = (count, word) => count + ' ' + word + (count === 1 ? '' : 's');
  const outcomes = {
    conformant: 'Conformant so far',
    partial: 'No finding so far',
    nonconformant: 'Nonconformant',
    unreachable: 'Nothing judged',
  };
  const words = { pass: 'hold', fail: 'fail', notJudged: 'not judged yet', error: 'runner errors' };

  const MOST = 500;
  const rows = one('rows');
  let passed = 0;
  let isHeld = false;
  let waiting = [];

  const rowOf = (entry) => {
    const row = element('tr');
    const isWrong = entry.wrong.length > 0;
    row.dataset.status = isWrong ? 'fail' : 'pass';
    row.hidden = one('only-wrong').checked && !isWrong;
    const time = new Date(entry.at);
    const cells = [
      ['', Number.isNaN(time.getTime()) ? '' : time.toLocaleTimeString()],
      ['', entry.method],
      ['path', entry.path],
      ['number', entry.status === 0 ? 'none' : String(entry.status)],
      ['number', String(entry.took)],
      ['says', entry.says],
    ];
    for (const [className, text] of cells) row.append(element('td', className, text));
    return row;
  };

  const show = (entries) => {
    if (isHeld) {
      waiting = waiting.concat(entries).slice(-MOST);
      one('hold').textContent = 'Go on (' + waiting.length + ')';
      return;
    }
    for (const entry of entries) {
      rows.prepend(rowOf(entry));
      passed = Math.max(passed, entry.n);
    }
    while (rows.childElementCount > MOST) rows.lastElementChild.remove();
    one('no-rows').hidden = rows.childElementCount > 0;
    one('traffic-count').textContent = passed === 0 ? '' : counted(passed, 'exchange');
  };

  const showVerdict = (verdict) => {
    document.documentElement.dataset.outcome = verdict.outcome;
    one('outcome').textContent = outcomes[verdict.outcome] || verdict.outcome;
    one('upstream').textContent = verdict.upstream;
    one('summary').textContent = verdict.summary;
    one('counts').replaceChildren(
      ...Object.keys(words)
        .filter((name) => name !== 'error' || verdict.counts[name] > 0)
        .map((name) => {
          const item = element('li');
          item.append(element('b', '', String(verdict.counts[name])), ' ' + words[name]);
          return item;
        }),
    );
    const items = verdict.findings.map(({ says, times }) => {
      const item = element('li');
      item.append(element('bdi', '', says), element('span', 'tally', counted(times, 'time')));
      return item;
    });
    one('findings').replaceChildren(...items);
    one('findings').hidden = items.length === 0;
    one('no-findings').hidden = items.length > 0;
    one('wrong-count').textContent = items.length === 0 ? '' : counted(items.length, 'cause');
    showRest(verdict.checks.filter(({ status }) => status === 'not-judged'));
  };

  const showRest = (checks) => {
    const bySupply = new Map();
    const ordered = [...checks].sort((one, other) => Number(one.supply === undefined) - Number(other.supply === undefined));
    for (const { supply, reason } of ordered) {
      const need = supply === undefined ? reason : supply.replace(/^traffic with /, '');
      bySupply.set(need, (bySupply.get(need) || 0) + 1);
    }
    one('needs').replaceChildren(
      ...[...bySupply]
        .map(([need, count]) => {
          const item = element('li');
          item.append(element('bdi', '', need), element('span', 'tally', counted(count, 'check')));
          return item;
        }),
    );
    one('rest-count').textContent = counted(checks.length, 'check');
  };

  const ask = async () => {
    try {
      const answer = document.hidden ? undefined : await fetch('verdict');
      if (answer && answer.ok) showVerdict(await answer.json());
    } catch {
      // The stream shows that the proxy does not answer.
    }
    setTimeout(ask, 1500);
  };
  void ask();

  const connection = one('connection');
  const stream = new EventSource('traffic/stream');
  stream.addEventListener('open', () => {
    connection.textContent = 'live';
    connection.dataset.status = 'pass';
  });
  stream.addEventListener('error', () => {
    connection.textContent = 'reconnecting: the proxy does not answer';
    connection.dataset.status = 'fail';
  });
  stream.addEventListener('passed', (event) => {
    show(JSON.parse(event.data));
  });

  one('only-wrong').addEventListener('change', () => {
    const isOnly = one('only-wrong').checked;
    for (const row of rows.children) row.hidden = isOnly && row.dataset.status !== 'fail';
  });
  one('hold').addEventListener('click', () => {
    isHeld = !isHeld;
    one('hold').setAttribute('aria-pressed', String(isHeld));
    one('hold').textContent = isHeld ? 'Go on' : 'Hold';
    if (!isHeld) show(waiting.splice(0));
  });
})();
`;
