// The interface of the stock room: every answer takes between 100 and 900 ms; every visitor has data of their own.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const names = [
  'Hammer',
  'Screwdriver',
  'Wood screws',
  'Drill',
  'Sandpaper',
  'Paint brush',
  'Ladder',
  'Wood glue',
]
const visitors = new Map()

const initial = () => ({
  nextId: 9,
  items: names.map((name, index) => ({
    id: index + 1,
    name,
    quantity: 5 + index * 3,
    // The interface refuses to favour these, after the page has already shown it.
    isLocked: name === 'Ladder',
    isFavourite: false,
  })),
})

const routes = [
  [
    'GET',
    /^\/api\/items$/,
    ({ items }, { query }) => {
      const text = (query.get('q') ?? '').toLowerCase()
      return items.filter((item) => item.name.toLowerCase().includes(text))
    },
  ],
  [
    'POST',
    /^\/api\/items$/,
    (data, { body }) => {
      if (data.items.some((item) => item.name === body.name))
        return [409, { message: `${body.name} exists already` }]
      const item = { ...body, id: data.nextId++, isLocked: false, isFavourite: false }
      data.items.push(item)
      return item
    },
  ],
  [
    'PATCH',
    /^\/api\/items\/(\d+)$/,
    (data, { body, id }) => {
      const item = data.items.find((one) => one.id === id)
      if (item.isLocked && 'isFavourite' in body) return [423, { message: `${item.name} is locked` }]
      return Object.assign(item, body)
    },
  ],
  [
    'DELETE',
    /^\/api\/items\/(\d+)$/,
    (data, { id }) => {
      data.items = data.items.filter((item) => item.id !== id)
      return {}
    },
  ],
  ['POST', /^\/api\/messages$/, (_, { body }) => ({ text: `Thanks ${body.name}, we will answer soon.` })],
]

async function answer(request, response, next) {
  const url = new URL(request.url, 'http://localhost')
  const route = routes.find(([method, path]) => method === request.method && path.test(url.pathname))
  if (!route) return next()
  let sid = /sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  if (!sid) response.setHeader('set-cookie', `sid=${(sid = randomUUID())}; Path=/; HttpOnly; SameSite=Lax`)
  if (!visitors.has(sid)) visitors.set(sid, initial())
  let text = ''
  for await (const chunk of request) text += chunk
  await delay(100 + Math.random() * 800)
  const [, path, handle] = route
  const result = handle(visitors.get(sid), {
    query: url.searchParams,
    body: text ? JSON.parse(text) : {},
    id: Number(path.exec(url.pathname)[1]),
  })
  const [status, data] = Array.isArray(result) && typeof result[0] === 'number' ? result : [200, result]
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(data))
}

export const stockApi = () => ({
  name: 'stock-api',
  configureServer: (server) => void server.middlewares.use(answer),
})
