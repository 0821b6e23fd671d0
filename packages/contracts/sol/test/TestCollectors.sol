// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

struct PaymentInfo {
    address operator;
    address payer;
    address receiver;
    address token;
    uint120 maxAmount;
    uint48 preApprovalExpiry;
    uint48 authorizationExpiry;
    uint48 refundExpiry;
    uint16 minFeeBps;
    uint16 maxFeeBps;
    address feeReceiver;
    uint256 salt;
}

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Pays refunds out of its own pocket.
contract PocketRefundCollector {
    function collectorType() external pure returns (uint8) {
        return 1;
    }

    function collectTokens(PaymentInfo calldata info, address store, uint256 amount, bytes calldata) external {
        IToken(info.token).transfer(store, amount);
    }
}

/// Says that it collects and brings nothing.
contract EmptyCollector {
    function collectorType() external pure returns (uint8) {
        return 0;
    }

    function collectTokens(PaymentInfo calldata, address, uint256, bytes calldata) external {}
}
