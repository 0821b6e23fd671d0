import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findParts, type Sought, type Step } from './find-parts.ts'
import type { GivenFile, Part, Screen, Within } from './parts.ts'
import { WebDriverError, type Found } from './webdriver.ts'
import type { WebkitWindow } from './webkit.ts'

const patienceMs = 20_000

/** What a page answers while it is on its way to another state, or to another page. */
const passing = new Set([
  'stale element reference',
  'no such element',
  'element not interactable',
  'move target out of bounds',
  'javascript error',
])

/** A page of a driven browser, used as a person does: what is pressed is seen, lies on top and moves no more. */
export function screenOf(driver: WebkitWindow): Screen {
  return {
    ...within(driver, []),
    evaluate: (run, given) => driver.run(run, given),
    waitForURL: (pattern) =>
      until(`the address ${String(pattern)}`, patienceMs, async () =>
        pattern.test(await driver.run<string>(() => location.href)),
      ),
  }
}

function within(driver: WebkitWindow, steps: readonly Step[]): Within {
  const on = (step: Step): Part => partOf(driver, [...steps, step])
  return {
    getByRole: (role, { name, exact, level } = {}) =>
      on({
        by: 'role',
        role,
        ...(name === undefined ? {} : { name: sought(name, exact) }),
        ...(level === undefined ? {} : { level }),
      }),
    getByLabel: (text, { exact } = {}) => on({ by: 'label', text: sought(text, exact) }),
    getByText: (text, { exact } = {}) => on({ by: 'text', text: sought(text, exact) }),
  }
}

function partOf(driver: WebkitWindow, steps: readonly Step[]): Part {
  const then = (step: Step): Part => partOf(driver, [...steps, step])
  const find = (): Promise<readonly Found[]> => driver.run(findParts, steps)
  const said = steps.map((step) => JSON.stringify(step)).join(' › ')
  const isSeen = async (found: readonly Found[]): Promise<boolean> => {
    if (found.length > 1) throw new Error(`${String(found.length)} parts are ${said}`)
    return found[0] !== undefined && (await driver.run(isVisible, found[0]))
  }
  /** Once the part is there, alone, and `isReady`. */
  const act = (isReady: (part: Found) => Promise<boolean>, does: (part: Found) => Promise<unknown>): Promise<void> =>
    until(said, patienceMs, async () => {
      const found = await find()
      if (found.length > 1) throw new Error(`${String(found.length)} parts are ${said}`)
      const [part] = found
      if (part === undefined || !(await isReady(part))) return false
      await does(part)
      return true
    })
  const canBePressed = (part: Found): Promise<boolean> => driver.run(isOnTop, part)
  return {
    ...within(driver, steps),
    filter: ({ hasText }) => then({ by: 'holds', text: sought(hasText) }),
    first: () => then({ by: 'place', at: 0 }),
    last: () => then({ by: 'place', at: -1 }),
    click: () => act(canBePressed, (part) => driver.press(part)),
    check: () =>
      act(canBePressed, async (part) => {
        if (!(await driver.run<boolean>(isChecked, part))) await driver.press(part)
      }),
    fill: (text) =>
      act(canBePressed, async (part) => {
        await driver.run(selectAll, part)
        await driver.type(part, text)
      }),
    selectOption: (label) => act(canBePressed, async (part) => driver.press(await driver.run(optionOf, part, label))),
    setInputFiles: (file) =>
      act(
        () => Promise.resolve(true),
        (part) => give(driver, part, file),
      ),
    waitFor: ({ state = 'visible', timeout = patienceMs } = {}) =>
      until(`${said} ${state}`, timeout, async () =>
        state === 'visible' ? isSeen(await find()) : (await find()).length === 0,
      ),
  }
}

/** A browser takes a file by its path, and reads it when it likes: the folder goes with that of the browser. */
async function give(driver: WebkitWindow, part: Found, { name, buffer }: GivenFile): Promise<void> {
  const path = join(await mkdtemp(join(driver.folder, 'given-')), name)
  await writeFile(path, buffer)
  await driver.type(part, path)
}

const sought = (text: string | RegExp, exact = false): Sought =>
  typeof text === 'string' ? { text, exact } : { text: text.source, exact, flags: text.flags }

async function until(what: string, patience: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patience; ; await pause(50)) {
    try {
      if (await isSo()) return
    } catch (error) {
      if (!(error instanceof WebDriverError && passing.has(error.code))) throw error
    }
    if (Date.now() > end) throw new Error(`waited ${String(patience)} ms in vain for ${what}`)
  }
}

// These run in the page, and so can see nothing of this file.

const isVisible = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0

const isChecked = (element: HTMLInputElement): boolean => element.checked

const optionOf = (select: HTMLSelectElement, label: string): Element | undefined =>
  [...select.options].find(({ text }) => text === label)

function selectAll(element: HTMLInputElement): void {
  element.focus()
  element.select()
}

/** Not disabled, at rest, and what a pointer in its middle meets. */
async function isOnTop(element: HTMLElement): Promise<boolean> {
  const middle = (): readonly [x: number, y: number] => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [Math.floor(left + width / 2), Math.floor(top + height / 2)]
  }
  const meets = (): boolean => {
    const met = document.elementFromPoint(...middle())
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : []
    return met !== null && [element, ...labels].some((one) => one.contains(met))
  }
  if (element.matches(':disabled')) return false
  if (!meets()) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const before = middle()
  await new Promise((resolve) => setTimeout(resolve, 40))
  return String(before) === String(middle()) && meets()
}
