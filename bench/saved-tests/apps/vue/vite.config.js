import vue from '@vitejs/plugin-vue'
import { shopApi } from './server.js'

export default {
  plugins: [vue(), shopApi()],
  server: { port: Number(process.env.PORT ?? 5402), strictPort: true },
}
