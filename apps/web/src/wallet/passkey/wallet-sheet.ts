import type { Deed } from './deed.ts'
import { PasskeyFault } from './faults.ts'

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

export type WalletSheet = {
  readonly current: () => SheetAsk | undefined
  readonly subscribe: (listener: () => void) => () => void
  /** @throws PasskeyFault `refused` when the person says no, `otherTab` while another question is open */
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
      if (current !== undefined) return Promise.reject(new PasskeyFault('otherTab'))
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      show({
        ...ask,
        answer: resolve,
        refuse: () => {
          reject(new PasskeyFault('refused'))
        },
      })
      return promise.finally(() => {
        show(undefined)
      })
    },
  }
}
