import { ok } from './exchange.ts'
import type { Context } from './context.ts'
import type { Router } from './router.ts'

/**
 * What this process was set to, as far as whoever orders from it must agree: a service proves its own settings against
 * these when it starts. All of it is on the chain or was given by the caller's own operator; none of it is secret.
 */
export function addSettingsRoute(router: Router, { networks, account, formerAccounts, lifecycle }: Context): void {
  const settings = (): object => ({
    account,
    // What they sent is this deployment's as well.
    former_accounts: formerAccounts,
    lifecycle_mode: lifecycle.mode,
    order_delegates: lifecycle.delegates,
    networks: networks.all.map(({ name, chainId, escrow, registries, tokens }) => ({
      network: name,
      chain_id: chainId,
      tokens: [...tokens.keys()],
      escrow:
        escrow === undefined
          ? null
          : {
              escrow: escrow.escrow,
              token_collector: escrow.collector,
              operator: escrow.operator,
              operator_abi: escrow.operatorAbi,
              treasury: escrow.owner,
            },
      registries:
        registries === undefined ? null : { identity: registries.identity, reputation: registries.reputation },
    })),
    // Set to be served, and nothing is known of them yet.
    silent_networks: networks.silent.map(({ row }) => row.name),
  })
  router.on('GET', '/settings', () => ok(settings()))
}
