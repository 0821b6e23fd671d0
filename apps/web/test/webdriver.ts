import { setTimeout as pause } from 'node:timers/promises'

/** One browser with one window, by the W3C's WebDriver. */
export type WebDriver = {
  readonly go: (url: string) => Promise<void>
  /** Runs a function of the page; it can see nothing but what it is given. */
  readonly run: <Answer>(run: unknown, ...given: readonly unknown[]) => Promise<Answer>
  /** An option as well. */
  readonly press: (element: Found) => Promise<void>
  readonly type: (element: Found, text: string) => Promise<void>
  /** So that the page has this size, whatever the window has around it. */
  readonly resize: (width: number, height: number) => Promise<void>
  readonly picture: () => Promise<Buffer>
  readonly end: () => Promise<void>
}

/** How WebDriver names an element of a page; it means that element as long as the page lives. */
export type Found = Readonly<Record<string, string>>

/** A refusal by one of WebDriver's words, such as `stale element reference`. */
export class WebDriverError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.name = 'WebDriverError'
    this.code = code
  }
}

type Answered = { readonly value: unknown }
type Refused = { readonly error: string; readonly message: string }

async function ask(url: string, method: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const { value } = (await answer.json()) as Answered
  if (answer.ok) return value
  const { error, message } = value as Refused
  throw new WebDriverError(error, message)
}

export async function untilListening(url: string): Promise<void> {
  for (const end = Date.now() + 20_000; ; await pause(50)) {
    const isThere = await ask(`${url}/status`, 'GET').then(
      () => true,
      () => false,
    )
    if (isThere) return
    if (Date.now() > end) throw new Error(`no driver answers at ${url}`)
  }
}

export async function openSession(driver: string, alwaysMatch: object): Promise<WebDriver> {
  const { sessionId } = (await ask(`${driver}/session`, 'POST', { capabilities: { alwaysMatch } })) as {
    readonly sessionId: string
  }
  const at = `${driver}/session/${sessionId}`
  const post = (path: string, body: object): Promise<unknown> => ask(`${at}${path}`, 'POST', body)
  const run = async <Answer>(todo: unknown, ...given: readonly unknown[]): Promise<Answer> =>
    // The caller knows what its function answers.
    (await post('/execute/sync', {
      script: `return (${String(todo)}).apply(null, arguments)`,
      args: given,
    })) as Answer
  return {
    run,
    async go(url) {
      await post('/url', { url })
    },
    async press(element) {
      await post(`/element/${Object.values(element)[0] ?? ''}/click`, {})
    },
    async type(element, text) {
      await post(`/element/${Object.values(element)[0] ?? ''}/value`, { text })
    },
    async resize(width, height) {
      // A window moves in its own time.
      for (let tries = 0; tries < 20; tries += 1) {
        const [innerWidth, innerHeight] = await run<readonly [number, number]>('() => [innerWidth, innerHeight]')
        if (innerWidth === width && innerHeight === height) return
        const rect = (await ask(`${at}/window/rect`, 'GET')) as { readonly width: number; readonly height: number }
        const next = { width: rect.width + width - innerWidth, height: rect.height + height - innerHeight }
        await post('/window/rect', next)
        await pause(100)
      }
      throw new Error(`the page does not become ${String(width)} × ${String(height)}`)
    },
    picture: async () => Buffer.from((await ask(`${at}/screenshot`, 'GET')) as string, 'base64'),
    async end() {
      await ask(at, 'DELETE')
    },
  }
}
