import type { Outcome, Reporter } from '../report/report.ts';
import { html } from './html/markup.ts';
import { verdictWords } from './wording/wording.ts';
import { safeJson } from './wording/safe-json.ts';

const LABEL = 'Agent Builder Service';
const COLORS: Readonly<Record<Outcome, string>> = {
  conformant: '#1c7048',
  partial: '#7a5200',
  nonconformant: '#b3261e',
  unreachable: '#5b6169',
};
/** A character of the font, on average, in pixels, and the room beside a text. */
const CHARACTER = 6.6;
const ROOM = 12;

/** An SVG image that loads nothing. */
export const badgeReporter: Reporter = (report) => {
  const words = verdictWords(report);
  const [left, right] = [LABEL, words].map((text) => Math.ceil(text.length * CHARACTER) + ROOM) as [number, number];
  const svg = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${left + right}"
    height="20"
    role="img"
    aria-label="${`${LABEL}: ${words}`}"
  >
    <title>${`${LABEL}: ${words}, contract ${report.contract?.edition ?? 'unknown'}`}</title>
    <rect width="${left + right}" height="20" rx="3" fill="#3d444d" />
    <path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1 -3 3h${3 - right}z" fill="${COLORS[report.outcome]}" />
    <g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">
      <text x="${left / 2}" y="14">${LABEL}</text>
      <text x="${left + right / 2}" y="14">${words}</text>
    </g>
  </svg>`;
  return `${svg.markup}\n`;
};

/** What the endpoint badge of shields.io reads. */
export const shieldsReporter: Reporter = (report) =>
  safeJson({
    schemaVersion: 1,
    label: LABEL,
    message: verdictWords(report),
    color: COLORS[report.outcome],
    isError: report.outcome === 'unreachable',
  });
