import type { ValidateFunction } from 'ajv';
import type { Schema } from '../../spec/openapi/document.ts';

/** Compiled schemas. Ajv is loaded with the first. */
export type Validators = (schema: Schema) => ValidateFunction;

export function createValidators(): Validators {
  const compiled = new WeakMap<Schema, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    return validate;
  };
}

/** Tests judge the schemas themselves, which takes Ajv longer than to compile one. */
function compile(schema: Schema): ValidateFunction {
  const { Ajv2020 } = require('ajv/dist/2020') as typeof import('ajv/dist/2020');
  const options = { allErrors: true, strict: false, verbose: true, validateSchema: false, validateFormats: false };
  return new Ajv2020(options).compile(schema);
}
