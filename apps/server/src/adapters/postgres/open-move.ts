/** Of a settlement: the bounty is on its way. The fee follows it, and what came by mistake is nobody's bounty. */
export const openMove = "status in ('claimed', 'in_doubt') and purpose not in ('fee', 'stray')"
