// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeToken} from "./SafeToken.sol";

/// @notice Holds the coins of one operator. It runs as a minimal proxy, so the escrow's address is in its code.
contract TokenStore {
    address public immutable authCaptureEscrow;

    error OnlyAuthCaptureEscrow();

    constructor(address escrow) {
        authCaptureEscrow = escrow;
    }

    function sendTokens(address token, address to, uint256 amount) external returns (bool) {
        if (msg.sender != authCaptureEscrow) revert OnlyAuthCaptureEscrow();
        SafeToken.send(token, to, amount);
        return true;
    }
}
