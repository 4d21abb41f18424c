/** The name of a member as a part of a JSON Pointer (RFC 6901). */
export const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
