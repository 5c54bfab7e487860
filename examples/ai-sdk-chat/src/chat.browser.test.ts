import { launch } from '@surehand/testing/fixtures/launch.ts'
import { expect, inject, test } from 'vitest'
import { openChat, PASSPHRASE } from './fixtures/open-chat.ts'

test('a person asks, approves, sees the result, and decides on an irreversible action on the decision page', async () => {
  const chat = await openChat()
  const browser = await launch(inject('chromium'))
  try {
    const page = await browser.newPage()
    const say = async (text: string) => {
      await page.getByLabel('Your message').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await page.goto(chat.url)
    await say('reserve a lamp')
    const box = page.locator('fieldset.approval')
    expect(await box.locator('legend').textContent()).toBe('Reserve lamp for a day?')
    expect(await box.locator('pre').textContent()).toContain('"input":{"product":"lamp"}')
    await box.getByRole('button', { name: 'Yes, do it' }).click()
    await page.getByText('shop__reserve: {"reservation":"lamp #1"}').waitFor()
    expect(chat.done).toEqual(['reserved lamp'])

    await say('close my account')
    const decided = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Decide it there' }).click()
    const popup = await decided
    await popup.getByLabel('Your passphrase').fill(PASSPHRASE)
    await popup.getByRole('button', { name: 'Yes, do it' }).click()
    await popup.getByText('You approved.').waitFor()
    await page.getByRole('button', { name: 'I have decided' }).click()
    await page.getByText('shop__closeAccount: {"closed":true}').waitFor()
    expect(chat.done).toEqual(['reserved lamp', 'closed the account'])
  } finally {
    await browser.close()
    await chat.close()
  }
})
