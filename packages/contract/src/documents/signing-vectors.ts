/** With a signature by each of two secrets, and one by a key pair. */
const exchanged = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  timestamp: '1790000000',
  body: '{"id":"01890a5d-ac96-774b-bcce-b302099a8057","type":"task.completed","created_at":"2026-09-21T14:13:20.000Z","data":{"task_id":"01890a5d-ac96-774b-bcce-b302099a8057"},"metadata":{"api_version":"2026-11-21","idempotency_key":"01890a5d-ac96-774b-bcce-b302099a8057"}}',
  signature:
    'v1,nbmndzIhaPOnurKXc1VVQkZGffk0CyAXiB24d/EaRZA= v1,Sksbz0sVx7Qde2qg5UYI1Gw/gOYrTi+9tJG7WGWY+vE= v1a,pkI4lYoiOZuytbT1gznb/IwULtMLPl4Ds0zEdCNOlYsUkI6k9NATxdvln7Fx8rOBSeA1MJYHXkiYuD5tu3TyCg==',
} as const

/**
 * Signatures that a client in any language holds its own against, served at `/signing-vectors.json`. They are written
 * down rather than computed, so that a change of what we sign shows; a test signs and verifies each of them.
 */
export const signingVectors = {
  wallet: {
    key: '0x4646464646464646464646464646464646464646464646464646464646464646',
    address: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
  },
  requests: [
    {
      what: 'a read without a body and without a query',
      method: 'GET',
      url: 'https://market.example/api/v1/tasks/available',
      headers: {},
      body: null,
      chain_id: 31337,
      created: 1790000000,
      nonce: 'example-1-1',
      text: '"@method": GET\n"@authority": market.example\n"@path": /api/v1/tasks/available\n"@signature-params": ("@method" "@authority" "@path");created=1790000000;expires=1790000060;nonce="example-1-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
      hash: '0xd532961fea7aa930bf1a8239e30910407c0585b43d74b25d553ba2e784d9dc6b',
      signed: {
        'Signature-Input':
          'eth=("@method" "@authority" "@path");created=1790000000;expires=1790000060;nonce="example-1-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
        Signature: 'eth=:hygYrj8IAxMl06rFYU1KyG6s9xgkuaGBZqXQfCn9vWRqN98b9A+yAYtLfYBd/0NgGRuFR9ROt+POLdx7wTw/1hw=:',
      },
    },
    {
      what: 'a read with a query, at a port of its own',
      method: 'GET',
      url: 'http://127.0.0.1:4020/api/v1/events?wait_seconds=25&cursor=now',
      headers: {},
      body: null,
      chain_id: 31337,
      created: 1790000000,
      nonce: 'example-2-3',
      text: '"@method": GET\n"@authority": 127.0.0.1:4020\n"@path": /api/v1/events\n"@query": ?wait_seconds=25&cursor=now\n"@signature-params": ("@method" "@authority" "@path" "@query");created=1790000000;expires=1790000060;nonce="example-2-3";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
      hash: '0xba3d0393fc41e4b8ea90a6ae3d051762f402f637a18304ba160797cf90e4014a',
      signed: {
        'Signature-Input':
          'eth=("@method" "@authority" "@path" "@query");created=1790000000;expires=1790000060;nonce="example-2-3";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
        Signature: 'eth=:pZEp1aWCp+k25aLGG9+UYiVMmCGYQP1vBgsRq/aZefE79+ukQ15wz0PF6ou60JAPLZ4uJnLyBV4EBeLzmm5U3hw=:',
      },
    },
    {
      what: 'a body that is not ASCII: its digest is of the bytes in UTF-8',
      method: 'POST',
      url: 'https://market.example/api/v1/workers/register',
      headers: {},
      body: '{"name":"Zoë"}',
      chain_id: 31337,
      created: 1790000000,
      nonce: 'example-3-1',
      text: '"@method": POST\n"@authority": market.example\n"@path": /api/v1/workers/register\n"content-digest": sha-256=:a9DueXLTcuwfijzEQwLlRJdRMF1zwrabWnnGL4ikync=:\n"@signature-params": ("@method" "@authority" "@path" "content-digest");created=1790000000;expires=1790000060;nonce="example-3-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
      hash: '0x6c96e65be4007d760e53e66cb670a44a6820da03989cd85ac2730b4721144792',
      signed: {
        'Content-Digest': 'sha-256=:a9DueXLTcuwfijzEQwLlRJdRMF1zwrabWnnGL4ikync=:',
        'Signature-Input':
          'eth=("@method" "@authority" "@path" "content-digest");created=1790000000;expires=1790000060;nonce="example-3-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
        Signature: 'eth=:/sdUFPhZ0EJ/+/IB3Fkke+i/FeO9H4xPpd2hQsysi3A8GQTSCQOJxBmcyNj4fS1HGjrk46aSbSNIPkS+YIRxCxw=:',
      },
    },
    {
      what: 'a signature whose s comes out above half the order: it is replaced by n - s, and v changes with it',
      method: 'POST',
      url: 'https://market.example/api/v1/tasks/01890a5d-ac96-774b-bcce-b302099a8057/apply',
      headers: {},
      body: '{"message":"I am near."}',
      chain_id: 31337,
      created: 1790000000,
      nonce: 'example-4-1',
      text: '"@method": POST\n"@authority": market.example\n"@path": /api/v1/tasks/01890a5d-ac96-774b-bcce-b302099a8057/apply\n"content-digest": sha-256=:l5hex+hqgFomluTqzhq7Ei/td1luuBQ4odiA4BEGd6U=:\n"@signature-params": ("@method" "@authority" "@path" "content-digest");created=1790000000;expires=1790000060;nonce="example-4-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
      hash: '0x32e2506352493b7154996f97a6a3ba674550720de4238abb6ca17964fecaaab0',
      signed: {
        'Content-Digest': 'sha-256=:l5hex+hqgFomluTqzhq7Ei/td1luuBQ4odiA4BEGd6U=:',
        'Signature-Input':
          'eth=("@method" "@authority" "@path" "content-digest");created=1790000000;expires=1790000060;nonce="example-4-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
        Signature: 'eth=:7lUt5160oJv49W5gZTEiKuLnAKF1xmYWcJ05NjiYE587e/th4b7BBlf8a7rem8FY5r8la9oFipDiIQEJrJ7kmBs=:',
      },
    },
    {
      what: 'the header X-Payment-Worker, which is covered where it is sent',
      method: 'POST',
      url: 'https://market.example/api/v1/tasks/01890a5d-ac96-774b-bcce-b302099a8057/assign',
      headers: { 'x-payment-worker': '0x52908400098527886e0f7030069857d2e4169ee7' },
      body: '{"executor_id":"01890a5d-ac96-774b-bcce-b302099a8057"}',
      chain_id: 31337,
      created: 1790000000,
      nonce: 'example-5-1',
      text: '"@method": POST\n"@authority": market.example\n"@path": /api/v1/tasks/01890a5d-ac96-774b-bcce-b302099a8057/assign\n"content-digest": sha-256=:bHBSmpWw6BziJgQMvvGmj+oy+FzanZYAnA1qYhQuR2I=:\n"x-payment-worker": 0x52908400098527886e0f7030069857d2e4169ee7\n"@signature-params": ("@method" "@authority" "@path" "content-digest" "x-payment-worker");created=1790000000;expires=1790000060;nonce="example-5-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
      hash: '0x18be60baebfd90552718fc72f8ff05df4968222fba51502e322a24789ee82c61',
      signed: {
        'Content-Digest': 'sha-256=:bHBSmpWw6BziJgQMvvGmj+oy+FzanZYAnA1qYhQuR2I=:',
        'Signature-Input':
          'eth=("@method" "@authority" "@path" "content-digest" "x-payment-worker");created=1790000000;expires=1790000060;nonce="example-5-1";keyid="erc8128:31337:0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f";alg="eip191"',
        Signature: 'eth=:sdAv9rCBwOn041SlUqTqA7M+KsUatvgEWsq9Xpl9R5NptdUCD6Mz10yV1NgfqZl+/o0z8Rwfebq19v+wNlPcSRw=:',
      },
    },
  ],
  payments: [
    {
      what: 'the terms of a bounty, and the nonce that binds its transfer to them',
      chain_id: 31337,
      escrow: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
      payer: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
      payment_info: {
        operator: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
        receiver: '0x52908400098527886e0f7030069857d2e4169ee7',
        token: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        maxAmount: '1000000',
        preApprovalExpiry: 1790003600,
        authorizationExpiry: 1790691200,
        refundExpiry: 1791296000,
        minFeeBps: 0,
        maxFeeBps: 1300,
        feeReceiver: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
        salt: '0x0000000000000000000000000000000001890a5dac96774bbcceb302099a8057',
      },
      nonce: '0x5fe47eb069705a7430ee09fa5e933293543e0accb8d02a05cc5bca6bfc0f252f',
      payment_info_hash: '0xe37b2943ab706b6349faf70c53fc74fe4921727a4d4745b86ec4df84c9beb0aa',
    },
  ],
  typed_data: [
    {
      what: 'the transfer into escrow, signed when a worker is assigned',
      document: {
        domain: {
          name: 'USD Coin',
          version: '2',
          chainId: 31337,
          verifyingContract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        },
        types: {
          ReceiveWithAuthorization: [
            { name: 'from', type: 'address' },
            { name: 'to', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'validAfter', type: 'uint256' },
            { name: 'validBefore', type: 'uint256' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'ReceiveWithAuthorization',
        message: {
          from: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
          to: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
          value: '1000000',
          validAfter: '0',
          validBefore: '1790003600',
          nonce: '0x5fe47eb069705a7430ee09fa5e933293543e0accb8d02a05cc5bca6bfc0f252f',
        },
      },
      hash: '0x8c16136f9dd978a20bc6fce864ba29d26adffbc7ce43bc0a20c294184a40a82e',
      signature:
        '0x3ea3137b530d6069ad60bd5c4c83b0abd3455da6c0e29bf45b92f4759c2e50a116f4cdb9469f800144b7a766c01d81e197798030271913f64e7e8c9cfe5d4aef1c',
    },
    {
      what: 'the order to pay the worker, signed when the work is approved',
      document: {
        domain: {
          name: 'x402 escrow lifecycle',
          version: '1',
          chainId: 31337,
        },
        types: {
          LifecycleOrder: [
            { name: 'action', type: 'string' },
            { name: 'amount', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
            { name: 'nonce', type: 'bytes32' },
            { name: 'paymentInfo', type: 'PaymentInfo' },
          ],
          PaymentInfo: [
            { name: 'operator', type: 'address' },
            { name: 'payer', type: 'address' },
            { name: 'receiver', type: 'address' },
            { name: 'token', type: 'address' },
            { name: 'maxAmount', type: 'uint120' },
            { name: 'preApprovalExpiry', type: 'uint48' },
            { name: 'authorizationExpiry', type: 'uint48' },
            { name: 'refundExpiry', type: 'uint48' },
            { name: 'minFeeBps', type: 'uint16' },
            { name: 'maxFeeBps', type: 'uint16' },
            { name: 'feeReceiver', type: 'address' },
            { name: 'salt', type: 'uint256' },
          ],
        },
        primaryType: 'LifecycleOrder',
        message: {
          action: 'release',
          amount: '1000000',
          deadline: '1790000900',
          nonce: '0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f',
          paymentInfo: {
            operator: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
            payer: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
            receiver: '0x52908400098527886e0f7030069857d2e4169ee7',
            token: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
            maxAmount: '1000000',
            preApprovalExpiry: 1790003600,
            authorizationExpiry: 1790691200,
            refundExpiry: 1791296000,
            minFeeBps: 0,
            maxFeeBps: 1300,
            feeReceiver: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
            salt: '2040782911132661522235942288014082135',
          },
        },
      },
      hash: '0x5ea26992901a7403dd33ca566d9d75ff7152b86250249f6e2c094c1d5b2c86f2',
      signature:
        '0x9a246494e49f934801fddd3591d8eff6ab8d16004bb0b436c2db867a6ca4574b421a50fd4c2317c202869f00b515459f59d8e884f7dcff7fb6bce2c08071cb531b',
    },
    {
      what: 'a cash-out of 2.50: the wallet makes this document itself, value in atomic units, no challenge gives it',
      document: {
        domain: {
          name: 'USD Coin',
          version: '2',
          chainId: 31337,
          verifyingContract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
        },
        types: {
          TransferWithAuthorization: [
            { name: 'from', type: 'address' },
            { name: 'to', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'validAfter', type: 'uint256' },
            { name: 'validBefore', type: 'uint256' },
            { name: 'nonce', type: 'bytes32' },
          ],
        },
        primaryType: 'TransferWithAuthorization',
        message: {
          from: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
          to: '0x52908400098527886e0f7030069857d2e4169ee7',
          value: '2500000',
          validAfter: '0',
          validBefore: '1790000300',
          nonce: '0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f',
        },
      },
      hash: '0x7cbb4a2161b5829743e2750ad6782c0c224b80b7e1b15aa439074777558d0d23',
      signature:
        '0x4d9ab9d5baaa3ca85d999ef0f5365eec257174fe1f3d6ce296337d19dc5220ac4d24f56ae2fb166ed0ccd7aa5306fb51d91a3cf26cd50e068778d17d1729b1a91b',
    },
  ],
  authorizations: [
    {
      what: 'the first of a wallet that rates by itself, EIP-7702: it runs the rating delegate from now on',
      authorization: {
        chainId: 31337,
        address: '0x0165878a594ca255338adfa4d48449f69242eb8f',
        nonce: 0,
        yParity: 1,
        r: '0x14c4ff3a725b35fa535193f371f24559b9ac74b9a9774317930ae5da55d03cb7',
        s: '0x34087a3a60d05a60047bd3549a7cc8ef3084b641fb15839a1c057b2d01724ac3',
      },
      hash: '0xdf5ed101a014c70bcafe9cfa157249eec90f4a9c939299e24c65cdcee35a0188',
    },
    {
      what: 'one whose nonce is written in two bytes',
      authorization: {
        chainId: 31337,
        address: '0x0165878a594ca255338adfa4d48449f69242eb8f',
        nonce: 200,
        yParity: 0,
        r: '0x6d806db03d8653e5b078214a80079845b087307179a9382eb5ab390e50b18115',
        s: '0x20176fb76531ec250c522b7451487cbcb86c933f36eee58cffb99a05890d434d',
      },
      hash: '0x5b846a397a421346677aa60e281c655689bf0812046fb65706ea154a4a399de5',
    },
  ],
  webhooks: [
    {
      what: 'a delivery',
      secret: 'whsec_ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=',
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      timestamp: '1790000000',
      body: '{"id":"01890a5d-ac96-774b-bcce-b302099a8057","type":"task.created","created_at":"2026-09-21T14:13:20.000Z","data":{"task_id":"01890a5d-ac96-774b-bcce-b302099a8057","title":"Une photo, s’il vous plaît","category":"data_collection","bounty_usd":1,"network":"localnet"},"metadata":{"api_version":"2026-11-21","idempotency_key":"01890a5d-ac96-774b-bcce-b302099a8057"}}',
      signature: 'v1,UpWBlqo35y4a5RXC0Y5ej9MvCZJiOooVkQ5E6DpgpRA=',
    },
    {
      what: 'a delivery while the secret is exchanged, by the new one',
      secret: 'whsec_/+7dzLuqmYh3ZlVEMyIRAP/u3cy7qpmId2ZVRDMiEQA=',
      ...exchanged,
    },
    {
      what: 'the same by the public key of the endpoint, which is given where a secret is above',
      secret: 'whpk_7pOk9m+NFrgZu5vrn/zN/NwUEuh/7moyTCqZoeDmcUg=',
      ...exchanged,
    },
  ],
} as const
