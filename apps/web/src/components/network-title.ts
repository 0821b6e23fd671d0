import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { defineMessages } from '../lib/messages.ts'

const messages = defineMessages({
  en: { localnet: 'Local chain', solana: 'Solana' },
  es: { localnet: 'Cadena local', solana: 'Solana' },
})

/**
 * How readers know a network: by the title that the service gives it. Its own name is for addresses, files and
 * programs.
 */
export function useNetworkTitle(): (name: string) => string {
  const say = useMessages(messages)
  const { data, isPending } = useRead('payments.networks', {}, { staleTime: Infinity })
  return (name) => {
    if (name === 'localnet') return say('localnet')
    // The list has the networks of bounties alone.
    if (name === 'solana') return say('solana')
    return data?.networks.find((one) => one.name === name)?.title ?? (isPending && name !== '' ? '…' : name)
  }
}
