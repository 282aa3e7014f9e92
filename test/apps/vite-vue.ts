import { runs } from './runs.ts'

runs({
  name: 'vite-vue',
  command: 'npm run dev',
  origin: 'http://localhost:5312',
  source: 'src/app.vue',
  hasSources: true,
  syntax: /Expected|Unexpected/,
  missing: /Failed to resolve import .{0,3}\.\/missing-module/,
})
