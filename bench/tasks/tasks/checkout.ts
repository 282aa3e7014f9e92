// A shop: two articles into the basket, the address, the card, the order. Each step is a page.

import { page, type Route } from '../../../test/support/site.ts'
import {
  button,
  check,
  click,
  combobox,
  fill,
  link,
  readForm,
  select,
  type Target,
  type Task,
  textbox,
} from '../task.ts'

const products = ['Notebook A5', 'Fountain pen', 'Ink, blue', 'Table lamp', 'Paper clips', 'Stapler'] as const
const shell = (title: string, body: string) =>
  page(`<nav><a href="/">Shop</a> <a href="/basket">Basket</a></nav><h1>${title}</h1>${body}`, title)

const shop = shell(
  'Shop',
  `<ul>${products.map((product, id) => `<li>${product}, ${4 + id * 3} € <button data-id="${id}" aria-label="Add ${product}">Add</button></li>`).join('')}</ul><p role="status"></p><script>
  document.querySelector('ul').onclick = async ({ target }) => {
    if (!target.dataset.id) return
    const answer = await fetch('/add', { method: 'post', body: 'id=' + target.dataset.id })
    document.querySelector('[role=status]').textContent = await answer.text()
  }
</script>`,
)

const field = (label: string, name: string) => `<p><label>${label} <input name="${name}" required></label>`
const address = shell(
  'Delivery',
  `<form method="post" action="/payment">${field('Name', 'name')}${field('Street', 'street')}${field('City', 'city')}
  <p><label>Country <select name="country"><option>Austria</option><option>Germany</option></select></label>
  <p><label><input type="radio" name="speed" value="standard"> Standard</label> <label><input type="radio" name="speed" value="express"> Express</label>
  <p><button>Continue to payment</button></form>`,
)
const payment = shell(
  'Payment',
  `<form method="post" action="/order">${field('Card number', 'card')}${field('Expiry date', 'expiry')}${field('Security code', 'code')}<p><button>Place order</button></form>`,
)
const express: Target = { role: 'radio', name: 'Express' }

export const checkout: Task = {
  name: 'checkout',
  path: '/',
  rounds: [
    [click(button('Add Fountain pen')), click(button('Add Ink, blue')), click(link('Basket'))],
    [click(link('Check out'))],
    [
      fill(textbox('Name'), 'Ada Lovelace'),
      fill(textbox('Street'), 'Main Street 1'),
      fill(textbox('City'), 'Graz'),
      select(combobox('Country'), 'Germany'),
      check(express),
      click(button('Continue to payment')),
    ],
    [
      fill(textbox('Card number'), '4242 4242 4242 4242'),
      fill(textbox('Expiry date'), '12/29'),
      fill(textbox('Security code'), '123'),
      click(button('Place order')),
    ],
  ],
  result: /Thank you, Ada Lovelace/,
  create() {
    const basket: number[] = []
    let sent: Readonly<Record<string, string>> = {}
    const sends =
      (html: () => string): Route =>
      async (request, response) => {
        sent = { ...sent, ...(await readForm(request)) }
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(html())
      }
    const items = () => basket.map((id) => `<li>${products[id]}</li>`).join('')
    return {
      isDone: () =>
        basket.join() === '1,2' &&
        [sent['street'], sent['country'], sent['speed'], sent['card'], sent['code']].join() ===
          'Main Street 1,Germany,express,4242 4242 4242 4242,123',
      routes: {
        '/': shop,
        async '/add'(request, response) {
          basket.push(Number((await readForm(request))['id']))
          response.end(`${basket.length} in the basket`)
        },
        '/basket': sends(() => shell('Basket', `<ul>${items()}</ul><a href="/address">Check out</a>`)),
        '/address': address,
        '/payment': sends(() => payment),
        '/order': sends(() =>
          shell('Order', `<p>Thank you, ${sent['name']}. ${basket.length} articles are on their way.</p>`),
        ),
      },
    }
  },
}
