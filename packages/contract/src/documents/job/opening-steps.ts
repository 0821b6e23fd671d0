import type { Step } from './step.ts'

/** What both sides send before anything else. */
export const openingSteps: readonly Step[] = [
  {
    name: 'rules',
    what: 'Read the signing rules in force. The first chain is the one to name in your signatures.',
    request: { operation: 'auth.signingPolicy' },
    unsigned: true,
    keep: { chain_id: '/supported_chains/0' },
    shows: { supported_chains: [31337], authorities: ['market.example'] },
  },
  {
    name: 'offers',
    what: 'Read what this deployment offers: how it pays, on which networks, and how often you may call.',
    request: { operation: 'service.config' },
    unsigned: true,
    keep: { payment_mode: '/payment_mode', network: '/preferred_network' },
    shows: { payment_mode: 'fase2', preferred_network: 'localnet', supported_networks: ['localnet'] },
  },
]
