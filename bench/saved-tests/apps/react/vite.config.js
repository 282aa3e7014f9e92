import react from '@vitejs/plugin-react'

export default {
  plugins: [react()],
  server: { port: Number(process.env.PORT ?? 5401), strictPort: true },
}
