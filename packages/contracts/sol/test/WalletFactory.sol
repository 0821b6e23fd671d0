// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ContractWallet} from "./ContractWallet.sol";

/// Puts up wallets at addresses that are known before, and counts how often it is asked to.
contract WalletFactory {
    uint256 public asked;
    address public lastCaller;

    function create(address owner, uint256 salt) external returns (ContractWallet) {
        asked += 1;
        lastCaller = msg.sender;
        return new ContractWallet{salt: bytes32(salt)}(owner);
    }

    function addressOf(address owner, uint256 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(ContractWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
