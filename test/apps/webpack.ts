import { runs } from './runs.ts'

runs({
  name: 'webpack',
  command: 'npm run dev',
  origin: 'http://localhost:5320',
  source: 'src/index.js',
  syntax: /Expected|Unexpected/,
  missing: /Can't resolve .{0,3}\.\/missing-module/,
})
