// A table of 60 invoices that the server filters and pages: find one and mark it as paid.

import { page } from '../../../test/support/site.ts'
import { button, click, combobox, readForm, select, type Task } from '../task.ts'

const PAGE_ROWS = 10
const statuses = ['Open', 'Overdue', 'Paid']
const customers = ['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli', 'Stark', 'Wayne']
const invoices = Array.from({ length: 60 }, (_, index) => ({
  id: 1001 + index,
  customer: customers[index % customers.length],
  amount: 100 + ((index * 37) % 900),
  status: statuses[index % statuses.length],
}))

const app = page(
  `<h1>Invoices</h1><label>Status <select id="status"><option>All</option>${statuses.map((status) => `<option>${status}</option>`).join('')}</select></label>
  <table><thead><tr><th>Invoice</th><th>Customer</th><th>Amount</th><th>Status</th><th>Action</th></tr></thead><tbody></tbody></table>
  <button id="previous">Previous page</button> <span id="position"></span> <button id="next">Next page</button><p role="status"></p><script>
  let number = 1
  const show = async () => {
    const { rows, pages } = await (await fetch('/rows?status=' + status_.value + '&page=' + number)).json()
    document.querySelector('tbody').innerHTML = rows.map(({ id, customer, amount, status }) =>
      '<tr><td>' + id + '</td><td>' + customer + '</td><td>' + amount + '</td><td>' + status +
      '</td><td><button data-id="' + id + '" aria-label="Mark ' + id + ' as paid">Mark as paid</button></td></tr>').join('')
    position.textContent = 'Page ' + number + ' of ' + pages
    previous.disabled = number === 1
    next.disabled = number === pages
  }
  const status_ = document.querySelector('#status')
  status_.onchange = () => { number = 1; show() }
  previous.onclick = () => { number -= 1; show() }
  next.onclick = () => { number += 1; show() }
  document.querySelector('tbody').onclick = async ({ target }) => {
    if (!target.dataset.id) return
    await (await fetch('/pay', { method: 'post', body: 'id=' + target.dataset.id })).text()
    await show()
    document.querySelector('[role=status]').textContent = target.dataset.id + ' is paid'
  }
  show()
</script>`,
  'Invoices',
)

export const table: Task = {
  name: 'table: filter, page, act on a row',
  path: '/',
  rounds: [
    [select(combobox('Status'), 'Overdue')],
    [click(button('Next page'))],
    [click(button('Mark 1044 as paid'))],
  ],
  result: /1044 is paid/,
  create() {
    const paid = new Set<number>()
    const asked = new Set<string>()
    return {
      isDone: () => paid.size === 1 && paid.has(1044) && asked.has('Overdue 2'),
      routes: {
        '/': app,
        '/rows'(request, response) {
          const query = new URL(request.url ?? '', 'http://site').searchParams
          const status = query.get('status') ?? 'All'
          asked.add(`${status} ${query.get('page')}`)
          const matching = invoices
            .map((invoice) => (paid.has(invoice.id) ? { ...invoice, status: 'Paid' } : invoice))
            .filter((invoice) => status === 'All' || invoice.status === status)
          const start = (Number(query.get('page')) - 1) * PAGE_ROWS
          const rows = matching.slice(start, start + PAGE_ROWS)
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify({ rows, pages: Math.ceil(matching.length / PAGE_ROWS) }))
        },
        async '/pay'(request, response) {
          paid.add(Number((await readForm(request))['id']))
          response.end('done')
        },
      },
    }
  },
}
