import { runs } from './runs.ts'

runs({
  name: 'angular',
  command: 'npm run dev',
  origin: 'http://localhost:5318',
  source: 'src/app.ts',
  hasSources: true,
  syntax: /TS1134|expected/i,
  missing: /(Could not resolve|Cannot find module) .{0,3}\.\/missing-module/,
})
