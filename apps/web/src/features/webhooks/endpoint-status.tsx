import type { ReactNode } from 'react'
import type { WebhookStatus } from '@ergon/contract'
import type { IconName } from '../../components/icon-names.ts'
import { Badge, type Tone } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { webhookMessages } from './messages.ts'

const tones: Readonly<Record<WebhookStatus, Tone>> = {
  unverified: 'warn',
  active: 'good',
  paused: 'plain',
  disabled: 'bad',
}

const icons = {
  unverified: 'hourglass-medium-bold',
  active: 'check-circle-fill',
  paused: 'minus-circle-bold',
  disabled: 'x-circle-bold',
} as const satisfies Readonly<Record<WebhookStatus, IconName>>

/** The state of an endpoint. */
export function EndpointStatus({ status }: { readonly status: WebhookStatus }): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <Badge tone={tones[status]} icon={icons[status]}>
      {say(`status.${status}`)}
    </Badge>
  )
}
