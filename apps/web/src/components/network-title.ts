import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { defineMessages } from '../lib/messages.ts'

const messages = defineMessages({ en: { localnet: 'Local chain' }, es: { localnet: 'Cadena local' } })

/**
 * How readers know a network: by the title that the service gives it. Its own name is for addresses, files and
 * programs.
 */
export function useNetworkTitle(): (name: string) => string {
  const say = useMessages(messages)
  const { data, isPending } = useRead('payments.networks', {}, { staleTime: Infinity })
  return (name) => {
    if (name === 'localnet') return say('localnet')
    return data?.networks.find((one) => one.name === name)?.title ?? (isPending && name !== '' ? '…' : name)
  }
}
