import { readFileSync } from 'node:fs';

/** Answers for the references, taken from the mock: by `<method> <path and query>`. */
export type Answers = Readonly<Record<string, ConstantAnswer>>;

export interface ConstantAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers in the file that a server's first argument names, with bodies as bytes. */
export function readAnswers(): ReadonlyMap<string, Omit<ConstantAnswer, 'body'> & { readonly body: Buffer }> {
  const answers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Answers;
  return new Map(
    Object.entries(answers).map(([key, { status, headers, body }]) => {
      const bytes = Buffer.from(body);
      return [key, { status, headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes }];
    }),
  );
}
