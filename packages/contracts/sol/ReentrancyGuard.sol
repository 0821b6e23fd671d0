// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice One entry at a time per contract. The flag lives in transient storage (EIP-1153) and costs no refund dance.
abstract contract ReentrancyGuard {
    bool private transient _entered;

    error Reentrancy();

    modifier nonReentrant() {
        if (_entered) revert Reentrancy();
        _entered = true;
        _;
        _entered = false;
    }
}
