import type { Notice, Notifier } from '@ergon/core'

/** As much of an XMTP client as is used; the library's own client has this shape. */
export type XmtpClient = {
  canMessage(identifiers: XmtpIdentifier[]): Promise<ReadonlyMap<string, boolean>>
  readonly conversations: {
    createDmWithIdentifier(identifier: XmtpIdentifier): Promise<{ sendText(text: string): Promise<unknown> }>
  }
}
export type XmtpIdentifier = { readonly identifier: string; readonly identifierKind: number }

export type XmtpNotifierDeps = {
  /** Asked for when the first notice is due, and again after it failed: it speaks to the network. */
  readonly connect: () => Promise<{ readonly client: XmtpClient; readonly ethereum: number }>
  readonly timeoutMs: number
}

/**
 * Notices as direct messages, in plain text. Wallets that never joined the network are unreachable, which is no
 * failure.
 */
export function createXmtpNotifier({ connect, timeoutMs }: XmtpNotifierDeps): Notifier {
  let connected: ReturnType<typeof connect> | undefined
  const clientOf = (): ReturnType<typeof connect> => {
    connected ??= connect().catch((error: unknown) => {
      connected = undefined
      throw error
    })
    return connected
  }
  return {
    notify: (notice) =>
      within(timeoutMs, async () => {
        const { client, ethereum } = await clientOf()
        const to = { identifier: notice.wallet, identifierKind: ethereum }
        const reach = await client.canMessage([to])
        if (![...reach.values()].includes(true)) return 'unreachable'
        await (await client.conversations.createDmWithIdentifier(to)).sendText(textOf(notice))
        return 'told'
      }),
  }
}

function textOf({ title, message, taskId }: Notice): string {
  return `${title}\n${message}\nTask ${taskId}`
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let limit: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => {
      reject(new Error(`the message network did not answer within ${String(ms)} ms`))
    }, ms)
  })
  try {
    return await Promise.race([work(), overdue])
  } finally {
    clearTimeout(limit)
  }
}
