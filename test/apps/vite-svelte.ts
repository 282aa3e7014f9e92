import { runs } from './runs.ts'

runs({
  name: 'vite-svelte',
  command: 'npm run dev',
  origin: 'http://localhost:5313',
  source: 'src/app.svelte',
  hasSources: true,
  syntax: /Expected|Unexpected/,
  missing: /Failed to resolve import .{0,3}\.\/missing-module/,
})
