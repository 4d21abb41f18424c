import type { AddCommand } from '../command-context.ts';
import { exitStatus } from '../exit-status.ts';

export const addOpenapi: AddCommand = (program, { io, action }) => {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the service, as JSON')
    .action(
      action(async () => {
        const { openapi } = await import('../../spec/openapi/document.ts');
        io.stdout.write(`${JSON.stringify(openapi, null, 2)}\n`);
        return exitStatus.conformant;
      }),
    );
};
