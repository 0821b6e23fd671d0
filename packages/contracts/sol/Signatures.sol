// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IERC1271 {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// @notice Who signed a digest: a key (ECDSA over secp256k1) or a contract wallet (ERC-1271).
library Signatures {
    /// Half of the curve's order: a larger `s` is the malleable twin of another signature (EIP-2).
    uint256 internal constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    function split(bytes memory signature) internal pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }

    /// @return signer the zero address for anything that is not a well-formed signature
    function tryRecover(bytes32 digest, bytes memory signature) internal pure returns (address signer) {
        if (signature.length != 65) return address(0);
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        if (uint256(s) > MAX_S || (v != 27 && v != 28)) return address(0);
        return ecrecover(digest, v, r, s);
    }

    function isSignedByKey(address signer, bytes32 digest, bytes memory signature) internal pure returns (bool) {
        address recovered = tryRecover(digest, signature);
        return recovered != address(0) && recovered == signer;
    }

    /// A wallet that reverts or answers anything but the magic value has not signed.
    function isSignedByContract(address wallet, bytes32 digest, bytes memory signature) internal view returns (bool) {
        (bool ok, bytes memory answer) = wallet.staticcall(abi.encodeCall(IERC1271.isValidSignature, (digest, signature)));
        return ok && answer.length >= 32 && bytes32(answer) == bytes32(IERC1271.isValidSignature.selector);
    }
}
