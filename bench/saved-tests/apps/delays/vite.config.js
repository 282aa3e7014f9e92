import react from '@vitejs/plugin-react'
import { stockApi } from './server.js'

export default {
  plugins: [react(), stockApi()],
  server: { port: Number(process.env.PORT ?? 5406), strictPort: true },
}
