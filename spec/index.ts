export * from './ledger.ts';
export * from './schema.ts';
