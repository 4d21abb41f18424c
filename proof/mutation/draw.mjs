/** Whether a mutant is drawn: the same for the same seed, whatever else changes in the code. */
export function isDrawn(
  { fileName, location, replacement, replacementCode = replacement, mutatorName },
  { share, seed },
) {
  const { start, end } = location;
  const name = [
    seed,
    fileName.replace(/^.*?(?=\b(?:spec|fixtures|mock|conformance|client|proxy|cli|proof)\/)/, ''),
    start.line,
    start.column,
    end.line,
    end.column,
    mutatorName,
    replacementCode,
  ];
  return fraction(name.join(' ')) < share;
}

/** A uniform number from 0 to 1: FNV-1a with a final mix. */
function fraction(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
