import type { Deed } from './deed.ts'

/** What the wallet itself asks its person, beside what a page says. */
export type SheetAsk = {
  readonly name: string
  /** What is signed; undefined where the wallet is opened for something else. */
  readonly deed: Deed | undefined
  /** Exactly what is signed. */
  readonly exact: string | undefined
  readonly needsPassphrase: boolean
  /** The last passphrase did not open it. */
  readonly isWrong: boolean
  readonly answer: (passphrase: string) => void
  readonly refuse: () => void
}

/** The person said no, or another question is open. The words for it come with the vault, not with the first screen. */
export class SheetClosed extends Error {
  override readonly name = 'SheetClosed'
  readonly why: 'refused' | 'otherTab'

  constructor(why: SheetClosed['why']) {
    super(why)
    this.why = why
  }
}

export type WalletSheet = {
  readonly current: () => SheetAsk | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** @throws SheetClosed when the person says no, or while another question is open */
  readonly ask: (ask: Omit<SheetAsk, 'answer' | 'refuse'>) => Promise<string>
}

export function createWalletSheet(): WalletSheet {
  let current: SheetAsk | undefined
  const listeners = new Set<() => void>()
  const show = (ask: SheetAsk | undefined): void => {
    current = ask
    for (const listener of listeners) listener()
  }
  return {
    current: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask(ask) {
      if (current !== undefined) return Promise.reject(new SheetClosed('otherTab'))
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      show({
        ...ask,
        answer: resolve,
        refuse: () => {
          reject(new SheetClosed('refused'))
        },
      })
      return promise.finally(() => {
        show(undefined)
      })
    },
  }
}
