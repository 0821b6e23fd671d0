import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { useChange, useRead } from '../lib/market.tsx'
import { defineMessages } from '../lib/messages.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { useToast } from './toast.tsx'

const messages = defineMessages({
  en: {
    block: 'Block {name}',
    unblock: 'Unblock {name}',
    blocked: '{name} is blocked: neither of you can begin work with the other.',
    unblocked: '{name} is no longer blocked.',
  },
  es: {
    block: 'Bloquear a {name}',
    unblock: 'Desbloquear a {name}',
    blocked: 'Has bloqueado a {name}: ya no podéis empezar un trabajo juntos.',
    unblocked: '{name} ya no tiene tu bloqueo.',
  },
})

type BlockProps = {
  readonly wallet: string
  /** What the person is called here. */
  readonly name: string
  /** The word on it where the name is beside it already. */
  readonly word?: string | undefined
}

/** Blocks a person, or takes it back, where that person is looked at. */
export function BlockButton({ wallet, name, word }: BlockProps): ReactNode {
  const say = useMessages(messages)
  const tell = useToast()
  const { data } = useRead('users.blocked', { limit: 100 })
  const block = useChange('users.block', ['users.blocked'])
  const unblock = useChange('users.unblock', ['users.blocked'])
  if (data === undefined) return null
  const isBlocked = data.blocked.some((one) => one.wallet.toLowerCase() === wallet.toLowerCase())
  const error = block.error ?? unblock.error
  const toggle = (): void => {
    if (isBlocked) unblock.mutate({ wallet }, { onSuccess: () => tell(say('unblocked', { name })) })
    else block.mutate({ wallet }, { onSuccess: () => tell(say('blocked', { name })) })
  }
  const says = say(isBlocked ? 'unblock' : 'block', { name })
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        kind={isBlocked || word !== undefined ? 'secondary' : 'danger'}
        busy={block.isPending || unblock.isPending}
        aria-label={word === undefined ? undefined : says}
        onClick={toggle}
      >
        {word ?? says}
      </Button>
      {error !== null && <Failure error={error} />}
    </div>
  )
}
