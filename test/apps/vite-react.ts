import { runs } from './runs.ts'

runs({
  name: 'vite-react',
  command: 'npm run dev',
  origin: 'http://localhost:5311',
  source: 'src/app.jsx',
  hasSources: true,
  syntax: /Expected|Unexpected/,
  missing: /Failed to resolve import .{0,3}\.\/missing-module/,
})
