import { runs } from './runs.ts'

runs({
  name: 'next',
  command: 'npm run dev',
  origin: 'http://localhost:5315',
  source: 'app/page.jsx',
  hasSources: true,
  syntax: /Expected|Unexpected/,
  missing: /Can't resolve .{0,3}\.\/missing-module/,
  env: { NEXT_TELEMETRY_DISABLED: '1' },
})
