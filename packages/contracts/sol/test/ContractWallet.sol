// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A wallet that signs with its owner's key (ERC-1271) and declines tokens that ask first.
contract ContractWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        // The wrapper makes the signature longer than a key's.
        (bytes32 r, bytes32 s, uint8 v, string memory note) = abi.decode(signature, (bytes32, bytes32, uint8, string));
        bool isOwn = keccak256(bytes(note)) == keccak256("wallet") && ecrecover(digest, v, r, s) == owner;
        return isOwn ? this.isValidSignature.selector : bytes4(0);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return 0xdeadbeef;
    }
}
