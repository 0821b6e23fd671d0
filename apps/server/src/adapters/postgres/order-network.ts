/**
 * The network on which the order of settlement `s` moves money, as `networkOf` of the domain reads it. Whoever takes
 * due rows takes those of one network: a thousand which wait for one chain are in the way of no other.
 */
export const orderNetwork = "coalesce(s.order_json->'payment'->>'network', s.order_json->'transfer'->>'network')"
