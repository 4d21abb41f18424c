import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './service', clean: true, format: false, lint: false, extension: { '.ts': '.js' } },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types.ts' } }),
    pluginClient({ output: { path: 'client.ts' }, client: 'fetch', dataReturnType: 'full' }),
  ],
});
