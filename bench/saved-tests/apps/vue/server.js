// The interface of the shop, in the memory of the dev server; every visitor has data of their own.
import { randomUUID } from 'node:crypto'

const products = [
  { id: 1, name: 'Espresso cups', category: 'Kitchen', price: 1450, text: 'Set of four, stoneware.' },
  { id: 2, name: 'Moka pot', category: 'Kitchen', price: 3200, text: 'Aluminium, for six cups.' },
  { id: 3, name: 'Table fan', category: 'Office', price: 4990, text: 'Dimmable, warm light.' },
  { id: 4, name: 'Notebook', category: 'Office', price: 690, text: 'Dotted, 160 pages.' },
  { id: 5, name: 'Tea towel', category: 'Kitchen', price: 890, text: 'Linen, two pieces.' },
  { id: 6, name: 'Pencil set', category: 'Office', price: 1190, text: 'Twelve pencils, HB to 6B.' },
]
const accounts = { 'ada@example.com': { password: 'correct-horse-7', name: 'Ada' } }
const visitors = new Map()

const routes = {
  'GET /api/products': (_, { query }) => {
    const text = (query.get('q') ?? '').toLowerCase()
    const category = query.get('category')
    return products
      .filter((product) => product.name.toLowerCase().includes(text))
      .filter((product) => !category || product.category === category)
  },
  'GET /api/me': (visitor) => ({ user: visitor.user ?? null }),
  'POST /api/login': (visitor, { body }) => {
    const account = accounts[body.email]
    if (account?.password !== body.password) return [401, { message: 'Email or password is wrong.' }]
    visitor.user = account.name
    return { user: account.name }
  },
  'POST /api/logout': (visitor) => {
    visitor.user = undefined
    return {}
  },
  'POST /api/orders': (visitor, { body }) => {
    const number = 1001 + visitor.orders.length
    visitor.orders.push({ ...body, number, placedAt: new Date().toISOString() })
    return visitor.orders.at(-1)
  },
  'GET /api/orders': (visitor) => visitor.orders,
}

async function answer(request, response, next) {
  const url = new URL(request.url, 'http://localhost')
  const route = routes[`${request.method} ${url.pathname}`]
  if (!route) return next()
  let sid = /sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (!sid) response.setHeader('set-cookie', `sid=${(sid = randomUUID())}; Path=/; HttpOnly; SameSite=Lax`)
  if (!visitors.has(sid)) visitors.set(sid, { orders: [] })
  let text = ''
  for await (const chunk of request) text += chunk
  const result = route(visitors.get(sid), { query: url.searchParams, body: text ? JSON.parse(text) : {} })
  const [status, data] = Array.isArray(result) && typeof result[0] === 'number' ? result : [200, result]
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(data))
}

export const shopApi = () => ({
  name: 'shop-api',
  configureServer: (server) => void server.middlewares.use(answer),
})
