import { runs } from './runs.ts'

runs({
  name: 'nuxt',
  command: 'npm run dev',
  origin: 'http://localhost:5317',
  source: 'app/app.vue',
  hasSources: true,
  syntax: /Expected|Unexpected/,
  missing: /(Failed to resolve import|Cannot find module) .{0,3}\.\/missing-module/,
  env: { NUXT_TELEMETRY_DISABLED: '1' },
})
