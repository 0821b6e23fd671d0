import { firefox, type Browser, type BrowserContext } from 'playwright-core'
import { server, type Asked, type Transport } from 'playwright-core/lib/coreBundle'
import { pathTo } from './path-to.ts'

// Playwright asks for it with every profile and Firefox 153 does not know it: pages are as light as its settings say.
const unknown = 'emulation.setMediaFeaturesOverride'
const transport = server.WebSocketTransport.prototype
const { send } = transport
transport.send = function (this: Transport, asked: Asked): void {
  if (asked.method === unknown) setImmediate(() => this.onmessage?.({ id: asked.id, type: 'success', result: {} }))
  else send.call(this, asked)
}

/** Debian's Firefox, as it is, by the W3C's WebDriver BiDi; what is saved goes to the folder. */
export function openFirefox(folder: string): Promise<Browser> {
  return firefox.launch({
    downloadsPath: folder,
    channel: 'moz-firefox',
    executablePath: pathTo('firefox-esr', 'Firefox'),
    firefoxUserPrefs: { 'layout.css.prefers-color-scheme.content-override': 1 },
  })
}

/**
 * What is typed reaches React: Playwright sets the value as scripts of the page do, which React then takes for its own
 * change.
 */
export async function typeAsPeopleDo(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const insert = (text: string): void => {
      document.execCommand('insertText', false, text)
    }
    Object.defineProperty(window, '__pw_bidiInsertText', { value: insert })
  })
}
