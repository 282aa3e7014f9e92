import { sveltekit } from '@sveltejs/kit/vite'

export default {
  plugins: [sveltekit()],
  server: { port: Number(process.env.PORT ?? 5403), strictPort: true },
}
