import { html, type Markup } from './markup.ts';

const WIDTH = 1000;
const THINNEST = 10;
const GAP = 3;

/** A bar of `whole` in parts; the rest stays empty. */
export function bar(
  parts: readonly { readonly name: string; readonly size: number }[],
  whole: number,
  words: string,
): Markup {
  const present = parts.filter(({ size }) => size > 0);
  const widths = present.map(({ size }) => Math.max((size / Math.max(whole, 1)) * WIDTH, THINNEST));
  const scale = Math.min(1, WIDTH / widths.reduce((sum, width) => sum + width, 0));
  let start = 0;
  const rectangles = present.map(({ name }, index) => {
    const width = (widths[index] ?? 0) * scale;
    const rectangle = html`<rect
      class="${name}"
      x="${start.toFixed(1)}"
      y="0"
      width="${(width - (index === present.length - 1 ? 0 : GAP)).toFixed(1)}"
      height="10"
    />`;
    start += width;
    return rectangle;
  });
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" role="img" aria-label="${words}">
    ${rectangles}
  </svg>`;
}
