import type { CheckReport, RecordedExchange } from '../report.ts';

export interface Proof {
  readonly id: string;
  readonly does: string;
}

export const provenBy = (check: CheckReport): readonly Proof[] =>
  (check as CheckReport & { readonly provenBy?: readonly Proof[] }).provenBy ?? [];

type Sent = RecordedExchange & {
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: string;
};

export const requestHeaders = (exchange: Sent): Readonly<Record<string, string>> => exchange.requestHeaders ?? {};

export const requestBody = (exchange: Sent): string | undefined => exchange.requestBody;
