import type { Locator, Page } from 'playwright-core'

const mostStops = 120

/** Goes on with Tab, as a person without a pointer does, until the focus is on the control. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  const passed: string[] = []
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await isFocused(control)) return
    await page.keyboard.press('Tab')
    passed.push(
      await page.evaluate(
        () => `${document.activeElement?.tagName ?? ''} ${document.activeElement?.textContent?.slice(0, 30) ?? ''}`,
      ),
    )
  }
  throw new Error(`Tab does not come to ${String(control)}; it passes ${passed.slice(-12).join(' | ')}`)
}

export async function pressOn(page: Page, control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press(key)
}

export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

const isFocused = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement)
