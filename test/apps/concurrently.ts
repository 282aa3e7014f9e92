import { runs } from './runs.ts'

runs({
  name: 'concurrently',
  command: 'npm run dev',
  origin: 'http://localhost:5314',
  source: 'src/main.jsx',
  syntax: /Expected|Unexpected/,
  missing: /Failed to resolve import .{0,3}\.\/missing-module/,
})
