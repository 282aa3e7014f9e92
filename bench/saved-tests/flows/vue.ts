// Vue 3 with a router and Pinia: a shop whose orders and visitors a server keeps.

import { type Application, click, failing, fill, named, open, select, type, waitFor } from '../flow.ts'

const search = named('searchbox', 'Search products')
const cart = (count: number) => named('link', `Cart (${count})`)
const addToCart = (product: string) => named('button', 'Add to cart', product)

export const vue: Application = {
  name: 'vue',
  framework: 'Vue 3, vue-router, Pinia',
  port: 5402,
  env: { EARLIER_PASSWORD: 'wrong-guess-1', PASSWORD: 'correct-horse-7' },
  flows: [
    {
      name: 'search-and-add',
      calls: [
        open('/'),
        type(search, 'fan', { submit: true }),
        waitFor('1 product'),
        click(named('link', 'Table fan')),
        click(named('button', 'Add to cart')),
        waitFor('Table fan is in your cart.'),
        click(cart(1)),
      ],
    },
    {
      name: 'check-out',
      calls: [
        open('/'),
        click(addToCart('Moka pot')),
        click(cart(1)),
        click(named('link', 'Proceed to checkout')),
        click(named('button', 'Place order')),
        waitFor('A postcode has five digits'),
        fill(
          [named('textbox', 'Full name Enter your name'), 'Ada Lovelace'],
          [named('textbox', 'Street Enter your street'), '12 St James Square'],
          [named('textbox', 'Postcode A postcode has five digits'), '10115'],
          [named('textbox', 'City Enter your city'), 'Berlin'],
          [named('radio', 'Express (€9.90)'), true],
          [named('checkbox', 'I accept the terms'), true],
        ),
        waitFor('To pay: €41.90'),
        click(named('button', 'Place order')),
        waitFor({ url: '/orders/1001' }),
      ],
    },
    {
      name: 'sign-in',
      calls: [
        open('/'),
        click(named('link', 'Sign in')),
        type('input[type=email]', 'ada@example.com'),
        type('input[type=password]', 'wrong-guess-1'),
        click(named('button', 'Sign in')),
        waitFor('Email or password is wrong.'),
        type('input[type=password]', 'correct-horse-7', { clear: true, submit: true }),
        waitFor('Hello, Ada'),
      ],
    },
    {
      name: 'change-cart',
      calls: [
        open('/'),
        click(addToCart('Espresso cups')),
        click(addToCart('Notebook')),
        failing(click('#cart-link')),
        click(cart(2)),
        type(named('spinbutton', 'Quantity of Notebook'), '3', { clear: true }),
        waitFor('€35.20'),
        type(named('textbox', 'Coupon code'), 'welcome10'),
        click(named('button', 'Apply')),
        click(named('button', 'Remove', 'Espresso cups')),
        waitFor({ textGone: 'Espresso cups' }),
      ],
    },
    {
      name: 'browse-category',
      calls: [
        open('/'),
        select(named('combobox', 'Category'), 'Office'),
        waitFor('3 products'),
        click(named('link', 'Table fan')),
        { tool: 'history', input: { direction: 'back' } },
        click(named('link', 'Pencil set')),
        waitFor('Twelve pencils, HB to 6B.'),
        click(named('link', 'Back to products')),
        waitFor('6 products'),
      ],
    },
  ],
  bugs: [
    {
      name: 'the total ignores the quantity',
      file: 'src/stores.js',
      from: 'sum + line.product.price * line.quantity, 0)',
      to: 'sum + line.product.price, 0)',
      flows: ['change-cart'],
    },
    {
      name: 'postcodes are not validated',
      file: 'src/pages/CheckoutPage.vue',
      from: "if (!/^\\d{5}$/.test(form.zip)) found.zip = 'A postcode has five digits'",
      to: '',
      flows: ['check-out'],
    },
    {
      name: 'the end of a long password is lost',
      file: 'src/pages/LoginPage.vue',
      from: "await account.login(email.value, password.value)\n    await router.push('/')",
      to: "await account.login(email.value, password.value.slice(0, 12))\n    await router.push('/')",
      flows: ['sign-in'],
    },
    {
      name: 'the product page adds nothing to the cart',
      file: 'src/pages/ProductPage.vue',
      from: 'cart.add(product.value)',
      to: '',
      flows: ['search-and-add'],
    },
    {
      name: 'the category is ignored',
      file: 'server.js',
      from: 'product.category === category',
      to: 'product.category !== undefined',
      flows: ['browse-category'],
    },
  ],
}
