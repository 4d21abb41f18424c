import { isSameValue, tagOf, type Path } from './values.ts';

const colour: Path = ['theme', 'general', 'background', 'content'];
const picture: Path = ['settings', 'metadata', 'imageUrl'];
const address: Path = ['settings', 'general', 'brandingUrl'];
const instant: Path = ['sharing', 'expiresAt'];

test.each<[Path, unknown, unknown, boolean]>([
  [['name'], 'a', 'a', true],
  [['name'], 'a', 'b', false],
  [['name'], '1', 1, false],
  [['name'], 1, '1', false],
  [['name'], true, false, false],
  [['theme', 'opacity'], 0.1, Math.fround(0.1), true],
  [['theme', 'opacity'], 0.1, 0.1001, false],
  [['theme', 'buttons', 'color'], '#0043CE', 'rgb(0, 67, 206)', true],
  [['theme', 'buttons', 'color'], '#0043CE', '#0045CE', false],
  [['theme', 'buttons', 'color'], '#0043CE', '#0044CE', true],
  [['theme', 'buttons', 'color'], '#0043CE', 'blue', true],
  [['theme', 'buttons', 'color'], '#0043CE', '7', false],
  [['theme', 'buttons', 'color'], '#0043CE', true, false],
  [colour, '#FFFFFF', '#fff', true],
  [['theme', 'background', 'type'], '#FFFFFF', '#fff', false],
  [['theme', 'content'], '#FFFFFF', '#fff', false],
  [['settings', 'color'], '#FFFFFF', '#fff', false],
  [picture, 'https://a.example/x.png', 'https://b.example/y.png', true],
  [picture, 'https://a.example/x.png', 'gone', false],
  [picture, 'https://a.example/x%20y.png', 'https://a.example/x y.png', true],
  [picture, 'https://a.example/x%20y.png', 'https://a.example/x z.png', false],
  [address, 'https://a.example/x%20y', 'https://a.example/x y', true],
  [picture, 'a.example/x.png', 'a.example/y.png', false],
  [picture, 'https://a.example', 'data:image/png;base64,AA', true],
  [picture, 'https://a.example', '//b.example', true],
  [picture, 'https://a.example', '/a picture', false],
  [['icon'], '😀', '/icons/1.png', true],
  [['theme', 'hostAvatar', 'url'], 'https://a.example/x.png', 'https://b.example/y.png', true],
  [address, 'https://a.example', 'https://a.example/', true],
  [address, 'https://a.example', 'https://b.example', false],
  [instant, '2026-05-20T12:00:00Z', '2026-05-20T14:00:01+02:00', true],
  [instant, '2026-05-20T12:00:00Z', '2026-05-20T12:00:02Z', false],
  [instant, '2026-05-20T12:00:00Z', '2026-05-20 14:00:00', true],
  [instant, '2026-05-20T12:00:00Z', 'soon', true],
  [['settings', 'rememberUser', 'storage'], 'session', 'SESSION', true],
  [['theme', 'chat', 'roundness'], 'large', 'none', false],
  [['groups', 0, 'type'], 'text', 'TEXT', false],
  [['theme', 'customCss'], 'a { b: c; }', 'a{b:c}', true],
  [['theme', 'customCss'], 'a { b: c; }', 'a{b:d}', false],
  [['settings', 'metadata', 'title'], 'Page', 'Agent', true],
  [['settings', 'metadata', 'title'], 'Page', 'Other', false],
  [['settings', 'metadata', 'description'], 'Page', 'Agent', false],
  [['groups', 0, 'title'], 'Page', 'Agent', false],
])('at %j the server may write %j as %j: %s', (place, sent, shown, expected) => {
  expect(isSameValue(place, sent, shown, 'Agent')).toBe(expected);
});

test.each([
  ['Sales', 'sales'],
  ['#sales', 'sales'],
  [' sales ', 'sales'],
  ['big sales', 'big_sales'],
  ['big - sales', 'big-sales'],
  ['Straße', 'STRASSE'],
  ['\uff21', 'a'],
  ['e\u0301', '\u00e9'],
])('the tag %s equals the tag %s', (one, other) => {
  expect(tagOf(one)).toBe(tagOf(other));
  expect(tagOf(one)).not.toBe(tagOf(`${other}x`));
});
