// What the session's data is generated from, and its profile: shown in the header, and changed there.
import { button, field, h, refill, select } from '../elements/dom.js';
import { sure } from '../elements/pieces.js';

/** A button that shows persona, seed and profile, and opens a form to change them; `show(health)` updates it. */
export function worldButton(app) {
  let now = {};
  const words = h('span', {});
  const element = button(words, () => void change(app, now), {
    class: 'world',
    title: 'Persona, seed and profile of the session',
    'aria-haspopup': 'dialog',
  });
  return {
    element,
    show(health) {
      now = health;
      refill(words, `${health.persona} · seed ${health.seed} · ${health.profile ?? 'own profile'}`);
    },
  };
}

async function change(app, now) {
  const { personas, profiles } = await app.read();
  const persona = select(
    personas.map(({ name, description }) => [name, `${name}: ${description}`]),
    now.persona,
    { name: 'persona' },
  );
  const seed = h('input', {
    type: 'number',
    name: 'seed',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    step: 1,
    required: true,
    value: now.seed,
  });
  const own = now.profile === null ? [['', 'its own, as it is']] : [];
  const profile = select([...own, ...profiles.map((name) => [name, name])], now.profile ?? '', { name: 'profile' });
  const submit = async (event) => {
    event.preventDefault();
    const wanted = { persona: persona.value, seed: Number(seed.value), profile: profile.value };
    if (await take(app, now, wanted)) dialog.close();
  };
  const dialog = h(
    'dialog',
    { 'aria-label': 'World of the session', onclose: () => dialog.remove() },
    h(
      'header',
      {},
      h('h2', {}, 'World of the session'),
      button('Close', () => dialog.close(), { class: 'close' }),
    ),
    h(
      'form',
      { class: 'world-form', onsubmit: (event) => void submit(event) },
      field('Persona', persona, 'What the world holds'),
      field('Seed', seed, 'The same seed gives the same data'),
      field('Profile', profile, 'How what the specification leaves open is answered'),
      h('p', { class: 'hint' }, 'A reset of the session returns to what the mock was started with.'),
      h('div', { class: 'actions' }, h('button', { class: 'strong' }, 'Change')),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Asks for confirmation, and applies the changes. Resolves with whether the form can close. */
async function take({ api, act }, now, { persona, seed, profile }) {
  const isOther = persona !== now.persona || seed !== now.seed;
  const isOtherProfile = profile !== '' && profile !== now.profile;
  if (!isOther && !isOtherProfile) return true;
  const question =
    'The data of the session begins anew: what was created, edited or removed in it is lost. Snapshots stay.';
  if (!(await sure(question, 'Change'))) return false;
  const done = await act(async () => {
    if (isOther) await api.put('/world', { persona, seed });
    if (isOtherProfile) await api.put('/profile', { profile });
    return true;
  }, `The session is ${persona} with seed ${seed} now.`);
  return done === true;
}
