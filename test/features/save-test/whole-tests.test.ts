// Whole tests as an author gets them.

import { expect, test } from 'bun:test'
import { nameSecrets } from '../../../src/features/save-test/code/name-secrets.ts'
import { writeTest } from '../../../src/features/save-test/code/write-test.ts'
import {
  button,
  check,
  click,
  element,
  field,
  fill,
  link,
  mock,
  navigate,
  ORIGIN,
  plan,
  seesText,
  step,
  testOf,
  type,
} from './recorded-steps.ts'

const to = (path: string) => ({ urlAfter: `${ORIGIN}${path}` })
const password = field('Password', { type: 'password', isSecret: true })

const signIn = [
  navigate('/login'),
  type(field('Email', { type: 'email' }), 'ada@example.com'),
  type(password, 'correct-horse-9'),
  click(button('Sign in'), to('/shop')),
]

test('a short flow has no named parts', () => {
  const { text, environment } = writeTest(
    plan([...signIn, check({ url: '/shop' }, to('/shop')), seesText('Welcome, Ada')], { title: 'signs in' }),
  )
  expect(environment).toEqual(['PASSWORD'])
  expect(text).toBe(`import { expect, test } from '@playwright/test';

test('signs in', async ({ page }) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(process.env.PASSWORD!);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/shop');
  await expect(page.getByText('Welcome, Ada')).toBeVisible();
});
`)
})

test('a purchase with a mock, a popup and a slow check', () => {
  const steps = [
    mock({ url: '**/api/pay', method: 'POST', answer: { json: { state: 'paid' }, delay: 300 } }),
    ...signIn,
    type(field('Search'), 'Mug', true),
    click(button('Add to cart')),
    check({ element: element("getByTestId('cart-count')"), checks: [{ kind: 'text', text: '1' }] }),
    click(link('Terms'), { openedTab: 't2' }),
    check({ text: 'Terms of sale' }, { tab: 't2' }),
    step({ kind: 'closeTab' }, { tab: 't2' }),
    fill(field('Address'), '1 Main Street'),
    step({ kind: 'select', element: field('Country', { type: 'select' }), values: ['Germany'] }),
    click(button('Order now'), to('/orders/7')),
    check({ url: '**/orders/*' }, to('/orders/7')),
    check({ text: 'Thank you', textElement: element("getByRole('status')") }, { durationMs: 6200 }),
  ]
  expect(testOf(steps, { title: 'buys a mug', options: { locale: 'en-US' } })).toBe(
    `import { expect, test } from '@playwright/test';

test.use({ locale: 'en-US' });

test('buys a mug', async ({ context, page }) => {
  await context.route('**/api/pay', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.fulfill({ json: { state: 'paid' } });
  });

  await test.step('Sign in', async () => {
    await page.goto('/login');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill(process.env.PASSWORD!);
    await page.getByRole('button', { name: 'Sign in' }).click();
  });

  await test.step('Add to cart', async () => {
    await page.getByLabel('Search').fill('Mug');
    await page.getByLabel('Search').press('Enter');
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await expect(page.getByTestId('cart-count')).toContainText('1');
  });

  await test.step('Terms', async () => {
    const popupPromise = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Terms' }).click();
    const popup = await popupPromise;
    await expect(popup.locator('body')).toContainText('Terms of sale', { useInnerText: true });
    await popup.close();
  });

  await test.step('Order now', async () => {
    await page.getByLabel('Address').fill('1 Main Street');
    await page.getByLabel('Country').selectOption('Germany');
    await page.getByRole('button', { name: 'Order now' }).click();
    await expect(page).toHaveURL(/\\/orders\\/[^/]*$/);
    await expect(page.getByRole('status')).toBeVisible({ timeout: 15_000 });
  });
});
`,
  )
})

test('a list that is filled and emptied, with a secret in a URL and in what is seen', () => {
  const deleteOf = (name: string) =>
    element(`getByRole('listitem').filter({ hasText: '${name}' }).getByRole('button', { name: 'Delete' })`, {
      role: 'button',
      name: 'Delete',
      type: 'button',
    })
  const gone = (name: string) => check({ textGone: name })
  const steps = [
    navigate('/tasks?key=tok-51a9f3c7e2'),
    type(field('New task'), 'Buy milk', true),
    seesText('Buy milk'),
    type(field('New task'), "Read O'Neil", true),
    seesText('Read O’Neil'),
    click(deleteOf('Buy milk')),
    step({ kind: 'dialog', accept: true }),
    check({ textGone: 'Buy milk' }, { durationMs: 9000 }),
    click(deleteOf(String.raw`Read O\'Neil`)),
    gone("Read O'Neil"),
    click(button('Delete all')),
    check({
      element: element("getByRole('list')"),
      checks: [],
      aria: 'list "Tasks"\n listitem: Key tok-51a9f3c7e2',
    }),
    click(button('Show key')),
    check({ text: 'Your key is tok-51a9f3c7e2.' }),
  ]
  const test = plan(steps, {
    title: 'with tok-51a9f3c7e2',
    secrets: new Map([['TASK_KEY', 'tok-51a9f3c7e2']]),
  })
  expect(nameSecrets(test)).toEqual(new Map([['TASK_KEY', 'tok-51a9f3c7e2']]))
  expect(writeTest(test).text).toBe(`import { expect, test } from '@playwright/test';

test('with ***', async ({ page }) => {
  test.setTimeout(60_000);

  await test.step('Fill in New task', async () => {
    await page.goto(\`/tasks?key=\${process.env.TASK_KEY}\`);
    await page.getByLabel('New task').fill('Buy milk');
    await page.getByLabel('New task').press('Enter');
    await expect(page.getByText('Buy milk')).toBeVisible();
  });

  await test.step('Fill in New task', async () => {
    await page.getByLabel('New task').fill("Read O'Neil");
    await page.getByLabel('New task').press('Enter');
    await expect(page.getByText('Read O’Neil')).toBeVisible();
  });

  await test.step('Delete', async () => {
    const dialogPromise = page.waitForEvent('dialog').then((dialog) => dialog.accept());
    await page.getByRole('listitem').filter({ hasText: 'Buy milk' }).getByRole('button', { name: 'Delete' }).click();
    await dialogPromise;
    await expect(page.getByText('Buy milk').filter({ visible: true })).toHaveCount(0, { timeout: 20_000 });
  });

  await test.step('Delete', async () => {
    await page.getByRole('listitem').filter({ hasText: "Read O'Neil" }).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText("Read O'Neil").filter({ visible: true })).toHaveCount(0);
  });

  await test.step('Delete all', async () => {
    await page.getByRole('button', { name: 'Delete all' }).click();
    await expect(page.getByRole('list')).toMatchAriaSnapshot(\`
      - list "Tasks":
        - listitem: Key \${process.env.TASK_KEY}
    \`);
  });

  await test.step('Show key', async () => {
    await page.getByRole('button', { name: 'Show key' }).click();
    await expect(page.locator('body')).toContainText(\`Your key is \${process.env.TASK_KEY}.\`, { useInnerText: true });
  });
});
`)
})
