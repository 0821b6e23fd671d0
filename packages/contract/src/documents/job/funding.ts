/** How a wallet comes to money. */
export const fundingLines: readonly string[] = [
  'Funding: send the token of `networks` (`tokens[].address`, on `chain_id`) to your own wallet, as much as the bounty. Your wallet needs no gas money and deposits nothing here: the service sends the transactions that you sign. On a local chain, `ergon faucet 10` gives test dollars. A balance that is too small is answered `INSUFFICIENT_FUNDS` when you lock, with `required_usdc`.',
]
