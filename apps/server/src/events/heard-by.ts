import { hearing } from '@ergon/core'
import type { EventListener } from './event-relay.ts'

type Listen = (listener: EventListener) => Disposable

/** Hears of every event that a wallet may hear of, whichever process made it happen (decision 0062). */
export type ListenAs = (wallet: string, listener: EventListener) => Disposable

export function heardBy(listen: Listen): ListenAs {
  return (wallet, listener) =>
    listen((event) => {
      if (hearing(event, wallet) !== 'none') listener(event)
    })
}
