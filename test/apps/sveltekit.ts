import { runs } from './runs.ts'

runs({
  name: 'sveltekit',
  command: 'npm run dev',
  origin: 'http://localhost:5316',
  source: 'src/routes/+page.svelte',
  hasSources: true,
  syntax: /Expected|Unexpected/,
  missing: /Failed to (load url|resolve import) .{0,3}\.\/missing-module/,
})
